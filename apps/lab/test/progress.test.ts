import pc from 'picocolors'
import { expect, test } from 'vitest'
import { progressOn } from '../src/progress.js'

test.each([20, 60, 200])(
  'what is to be taken away again fits one line of %i columns',
  (columns) => {
    const written: string[] = []
    const stream = { isTTY: true, columns, write: (text: string) => written.push(text) }
    const progress = progressOn(stream as unknown as NodeJS.WriteStream, pc.createColors(false))
    progress.doing('tokenBucket, batches: its time on the server, round 10 of 20 (9 of 10)')
    progress.waiting(1000, Date.UTC(2026, 11, 1) * 1000)
    const lines = written.map((text) => text.replace('\r\u001B[K', ''))
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line.length).toBeLessThan(columns)
    expect(lines[1]).toMatch(/^ {2}1\.0 s to the b/)
  },
)
