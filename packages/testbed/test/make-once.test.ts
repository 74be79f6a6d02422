import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeOnce } from '../src/make-once.js'
import { bundleFor } from './child.js'

let parent: string
let folder: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'make-once-'))
  folder = join(parent, 'made')
})

afterEach(() => rm(parent, { recursive: true, force: true }))

async function look(): Promise<string | undefined> {
  return readFile(join(folder, 'content'), 'utf8').catch(() => undefined)
}

function outputOf({ stdout }: ChildProcess): Promise<string> {
  return stdout ? text(stdout) : Promise.resolve('')
}

test('many processes that ask at once make it once, and all get it', async () => {
  const children = await bundleFor('make-once')
  const code = `
    import { readFile, writeFile, appendFile } from 'node:fs/promises'
    import { setTimeout as sleep } from 'node:timers/promises'
    const [parent, folder] = ${JSON.stringify([parent, folder])}
    const got = await makeOnce({
      folder,
      look: () => readFile(folder + '/content', 'utf8').catch(() => undefined),
      make: async (work) => {
        await appendFile(parent + '/makers', process.pid + '\\n')
        await sleep(300)
        await writeFile(work + '/content', 'by ' + process.pid)
      },
    })
    process.stdout.write(got)
  `
  const outputs = await Promise.all(Array.from({ length: 4 }, () => outputOf(children.run(code))))
  await children.remove()
  const makers = (await readFile(join(parent, 'makers'), 'utf8')).trim().split('\n')
  expect(makers).toHaveLength(1)
  expect(outputs).toEqual(outputs.map(() => `by ${makers[0]}`))
  expect((await readdir(parent)).sort()).toEqual(['made', 'makers'])
})

test('the lock of a dead process is broken', async () => {
  // No Linux or macOS gives out a pid this high.
  await writeFile(`${folder}.lock`, '99999999')
  const got = await makeOnce({
    folder,
    look,
    make: (work) => writeFile(join(work, 'content'), 'made'),
  })
  expect(got).toBe('made')
  expect(existsSync(`${folder}.lock`)).toBe(false)
})

test('a living holder is named, and waited for', async () => {
  await writeFile(`${folder}.lock`, String(process.pid))
  const told: number[] = []
  const made = makeOnce({
    folder,
    look,
    make: (work) => writeFile(join(work, 'content'), 'made'),
    onWait: (pid) => {
      told.push(pid)
      void rm(`${folder}.lock`)
    },
  })
  expect(await made).toBe('made')
  expect(told).toEqual([process.pid])
})

test('a failure leaves nothing behind, and the next one succeeds', async () => {
  const fail = makeOnce({
    folder,
    look,
    make: async (work) => {
      await writeFile(join(work, 'half'), '')
      throw new Error('on purpose')
    },
  })
  await expect(fail).rejects.toThrow('on purpose')
  expect(await readdir(parent)).toEqual([])
  const make = (work: string) => writeFile(join(work, 'content'), 'made')
  expect(await makeOnce({ folder, look, make })).toBe('made')
})

test('what was there and does not work is replaced', async () => {
  const make = (work: string) => writeFile(join(work, 'other'), 'useless')
  await expect(makeOnce({ folder, look, make })).rejects.toThrow('does not work here')
  const better = (work: string) => writeFile(join(work, 'content'), 'good')
  expect(await makeOnce({ folder, look, make: better })).toBe('good')
  expect(await readdir(folder)).toEqual(['content'])
})
