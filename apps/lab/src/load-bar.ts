import { Presets, SingleBar } from 'cli-progress'
import { countText } from './count-text.js'
import type { LoadSettings } from './settings.js'

/** The progress bar of a load, on standard error; one line where that is no terminal. */
export interface LoadBar {
  update(elapsedMs: number, decisions: number): void
  stop(): void
}

export function loadBar({ seconds, requests }: LoadSettings): LoadBar {
  const totalMs = seconds * 1000
  if (!process.stderr.isTTY) {
    const orLess =
      requests === undefined ? '' : `, or until ${countText(requests)} requests are answered`
    process.stderr.write(`Running for ${seconds} s${orLess} …\n`)
  }
  const bar = new SingleBar(
    {
      format: '  {bar} {elapsed} of {seconds} s   {decisions} decisions',
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
      barsize: 40,
    },
    Presets.shades_classic,
  )
  const payload = (elapsedMs: number, decisions: number) => ({
    elapsed: (elapsedMs / 1000).toFixed(1),
    seconds,
    decisions: countText(decisions),
  })
  bar.start(totalMs, 0, payload(0, 0))
  return {
    update: (elapsedMs, decisions) =>
      bar.update(Math.min(elapsedMs, totalMs), payload(elapsedMs, decisions)),
    stop: () => bar.stop(),
  }
}
