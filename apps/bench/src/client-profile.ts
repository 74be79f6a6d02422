import { type Profiler, Session } from 'node:inspector/promises'

/** Where the busy time of this process went, by whose code it was: shares of 1, the largest first. */
export type Shares = readonly (readonly [owner: string, share: number])[]

/** Samples this process while it does something. */
export async function clientProfile(work: () => Promise<unknown>): Promise<Shares> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: 200 })
    await session.post('Profiler.start')
    await work()
    const { profile } = await session.post('Profiler.stop')
    return sharesOf(profile)
  } finally {
    session.disconnect()
  }
}

function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Shares {
  const owners = new Map(nodes.map(({ id, callFrame }) => [id, ownerOf(callFrame)]))
  const times = new Map<string, number>()
  let busy = 0
  for (const [i, id] of samples.entries()) {
    const owner = owners.get(id)
    if (owner === undefined) continue
    busy += timeDeltas[i]!
    times.set(owner, (times.get(owner) ?? 0) + timeDeltas[i]!)
  }
  return [...times]
    .map(([owner, time]) => [owner, time / busy] as const)
    .toSorted(([, one], [, other]) => other - one)
}

/** Whose code a function is; nobody's while the process is idle. */
function ownerOf({ functionName, url }: Profiler.Profile['nodes'][number]['callFrame']) {
  if (functionName === '(idle)') return undefined
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (functionName === 'writeUtf8String' || functionName === 'writev')
    return 'writing to the socket'
  const [, installed] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? []
  if (installed !== undefined) return installed
  const [, own] = /\/packages\/([^/]+)\//.exec(url) ?? []
  if (own !== undefined) return `@spillway/${own}`
  return url.includes('/bench/') ? 'the load itself' : 'Node.js'
}
