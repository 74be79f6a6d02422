import { stripLua } from './strip-lua.js'

/**
 * A plugin (of rolldown, vite and vitest alike) that makes `import source from './rule.lua'` the stripped script as text.
 *
 * @returns {{ name: string, transform: { filter: { id: RegExp }, handler(code: string): { code: string, map: null, moduleType: 'js' } } }}
 */
export function luaText() {
  return {
    name: 'spillway:lua-text',
    transform: {
      filter: { id: /\.lua$/ },
      handler: (code) => ({
        code: `export default ${JSON.stringify(stripLua(code))}\n`,
        map: null,
        moduleType: 'js',
      }),
    },
  }
}
