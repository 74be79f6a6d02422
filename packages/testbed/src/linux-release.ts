import { readFileSync } from 'node:fs'

/** `/etc/os-release` in short: `ids` are the distribution and those it derives from, nearest first. */
export interface LinuxRelease {
  readonly ids: readonly string[]
  readonly version: string
}

/** Which Linux this is; without ids on other systems. Source: the os-release(5) manual page. */
export function linuxRelease(): LinuxRelease {
  if (process.platform !== 'linux') return { ids: [], version: '' }
  let text = ''
  for (const path of ['/etc/os-release', '/usr/lib/os-release']) {
    try {
      text = readFileSync(path, 'utf8')
      break
    } catch {
      // The second place is the fallback the manual names.
    }
  }
  const field = (name: string): string =>
    new RegExp(`^${name}=(["']?)(.*)\\1$`, 'm').exec(text)?.[2] ?? ''
  const ids = `${field('ID')} ${field('ID_LIKE')}`.split(' ').filter((id) => id !== '')
  return { ids, version: field('VERSION_ID') }
}
