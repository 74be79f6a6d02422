import { fetchRedis } from './fetch-redis.js'
import { findRedis } from './find-redis.js'
import { withFreePorts } from './free-ports.js'
import type { Log } from './log.js'
import { openSite, type Site } from './site.js'
import { TestbedError } from './testbed-error.js'

/**
 * Opens a site on free ports, with the Redis at hand or one fetched for it, and lets `use` fill it.
 *
 * When `use` fails, the site is closed; otherwise closing it is up to what `use` returned.
 */
export async function withOwnSite<T>(
  portCount: number,
  log: Log | undefined,
  use: (site: Site, ports: readonly number[]) => Promise<T>,
): Promise<T> {
  const source = (await findRedis({ own: true })) ?? (await fetchRedis(log))
  if (source.kind === 'url') throw new TestbedError('NOT_OWN', 'REDIS_URL is no server of ours')
  return withFreePorts(portCount, async (ports) => {
    const site = await openSite(source, ports)
    try {
      return await use(site, ports)
    } catch (error) {
      await site.close()
      throw error
    }
  })
}
