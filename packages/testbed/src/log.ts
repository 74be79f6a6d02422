/** Takes one line for people, without its newline. */
export type Log = (line: string) => void

/** The default log: standard error, since standard output may be somebody's JSON. */
export const logToStderr: Log = (line) => {
  process.stderr.write(`${line}\n`)
}
