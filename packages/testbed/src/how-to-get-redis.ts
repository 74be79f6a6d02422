import { linuxRelease } from './linux-release.js'

const INSTALL_LINES: readonly (readonly [id: string, line: string])[] = [
  ['debian', 'sudo apt-get install redis-server'],
  ['ubuntu', 'sudo apt-get install redis-server'],
  ['alpine', 'apk add redis'],
  ['fedora', 'sudo dnf install valkey'],
  ['rhel', 'sudo dnf install redis'],
  ['arch', 'sudo pacman -S valkey'],
  ['suse', 'sudo zypper install redis'],
  ['opensuse', 'sudo zypper install redis'],
]

const WITH_DOCKER =
  'docker run -d -p 127.0.0.1:6379:6379 redis:8 && export REDIS_URL=redis://127.0.0.1:6379'

/** The one line that gets a Redis on this platform. */
export function howToGetRedis(): string {
  if (process.platform === 'darwin') return 'brew install redis'
  for (const id of linuxRelease().ids) {
    const known = INSTALL_LINES.find(([name]) => name === id)
    if (known) return known[1]
  }
  return WITH_DOCKER
}
