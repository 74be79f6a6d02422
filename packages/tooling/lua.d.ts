/** A Lua script as text. Builds and tests inline it through the presets of this package. */
declare module '*.lua' {
  const source: string
  export default source
}
