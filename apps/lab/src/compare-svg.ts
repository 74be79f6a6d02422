import type { Compared } from './compare.js'
import type { CompareRun } from './compare-run.js'
import { durationText } from './duration-text.js'
import { rollingSum } from './rolling-sum.js'
import { xmlElement as el, xmlText } from './xml.js'

const perRow = 3
const card = { width: 300, height: 204, gap: 16 }
const plot = { left: 34, top: 34, width: 250, height: 92 }
const margin = 24
const headHeight = 84

/** The comparison as a picture: a chart of each algorithm's worst window, with its numbers below. */
export function compareSvg({ settings, session, compared }: CompareRun): string {
  const window = durationText(settings.windowMs)
  const rows = Math.ceil(compared.length / perRow)
  const width = 2 * margin + perRow * card.width + (perRow - 1) * card.gap
  const height = headHeight + rows * (card.height + card.gap) + margin - card.gap
  const highest = Math.max(
    ...compared.map(({ promised, measured }) => Math.max(promised, measured)),
  )
  const heading = `Every algorithm at its worst: ${settings.limit} per ${window}`
  const cards = compared.map((one, i) => {
    const x = margin + (i % perRow) * (card.width + card.gap)
    const y = headHeight + Math.floor(i / perRow) * (card.height + card.gap)
    return el('g', { transform: `translate(${x} ${y})` }, ...cardOf(one, highest))
  })
  const svg = el(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-labelledby': 'title description',
    },
    el('title', { id: 'title' }, xmlText(heading)),
    el('desc', { id: 'description' }, xmlText(compared.map(described).join(' '))),
    el('style', {}, style),
    el('rect', { class: 'paper', width, height }),
    text('heading', margin, 36, heading),
    text(
      'muted',
      margin,
      60,
      `Admitted in the last ${window}, during the worst window found. On ${session.title}.`,
    ),
    ...legend(width - margin),
    ...cards,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${svg}\n`
}

function cardOf(one: Compared, highest: number): string[] {
  const { policy, admissions, held } = one
  const { limit, windowMs } = policy
  const windowUs = windowMs * 1000
  const { left, top, width, height } = plot
  const bottom = top + height
  const x = (us: number): number => round(left + (us / (2.2 * windowUs)) * width)
  const y = (units: number): number => round(bottom - (units / highest) * height)

  let path = `M${x(0)} ${bottom}`
  for (const { at, sum } of rollingSum(admissions, windowUs)) path += `H${x(at)}V${y(sum)}`
  const across = (name: string, value: number): string =>
    el('line', { class: name, x1: left, x2: left + width, y1: y(value), y2: y(value) })
  const ticks = [0, windowMs, 2 * windowMs].map((ms) =>
    text('small middle', x(ms * 1000), bottom + 15, ms === 0 ? '0' : durationText(ms)),
  )
  const values = [...new Set([limit, one.promised])].map((value) =>
    text('small end', left - 6, y(value) + 4, String(value)),
  )
  return [
    el('rect', { class: 'card', width: card.width, height: card.height, rx: 8 }),
    text('name', 14, 22, one.name),
    el('path', { class: held ? 'area' : 'area broken', d: `${path}Z` }),
    el('line', { class: 'axis', x1: left, x2: left + width, y1: bottom, y2: bottom }),
    across('promise', one.promised),
    across('limit', limit),
    ...values,
    ...ticks,
    ...numbers(one),
  ]
}

function numbers(one: Compared): string[] {
  const { windowMs } = one.policy
  const paint = (measured: number, promised: number) => (measured > promised ? 'note over' : 'note')
  const of = (ms: number, measured: number, promised: number): string =>
    `any ${durationText(ms)}: ${measured} of ${promised} promised`
  const cost = [
    ...(one.bytesPerKey === null ? [] : [`${one.bytesPerKey} bytes a key`]),
    ...(one.serverUs === null ? [] : [`${one.serverUs.toFixed(2)} µs a decision`]),
  ].join(' · ')
  const y = plot.top + plot.height
  return [
    text(paint(one.measured, one.promised), 14, y + 38, of(windowMs, one.measured, one.promised)),
    text(
      paint(one.measuredShort, one.promisedShort),
      14,
      y + 53,
      of(windowMs / 100, one.measuredShort, one.promisedShort),
    ),
    ...(cost === '' ? [] : [text('note muted', 14, y + 68, cost)]),
  ]
}

function legend(right: number): string[] {
  const [y, length] = [31, 26]
  const at = (from: number, name: string, label: string): string[] => [
    el('line', { class: name, x1: from, x2: from + length, y1: y, y2: y }),
    text('small', from + length + 8, y + 4, label),
  ]
  return [...at(right - 210, 'promise', 'promised'), ...at(right - 96, 'limit', 'limit')]
}

function described(one: Compared): string {
  return `${one.name}: ${one.measured} admitted in the worst window, ${one.promised} promised.`
}

function text(name: string, x: number, y: number, content: string): string {
  return el('text', { class: name, x, y }, xmlText(content))
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

// No variables: not every renderer of SVG knows them.
const style = `
text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
.heading { font-size: 20px; font-weight: 600 }
.name { font-weight: 600 }
.small { font-size: 11px; fill: #59636e }
.note { font-size: 12px }
.muted { fill: #59636e }
.over { fill: #d1242f; font-weight: 600 }
.middle { text-anchor: middle }
.end { text-anchor: end }
.paper { fill: #ffffff }
.card { fill: #f6f8fa; stroke: #d1d9e0 }
.area { fill: #54aeff; fill-opacity: 0.75 }
.area.broken { fill: #ff8182 }
.axis { stroke: #59636e }
.limit { stroke: #bc4c00; stroke-width: 1.5; stroke-dasharray: 5 4 }
.promise { stroke: #1a7f37; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .small, .muted { fill: #9198a1 }
  .over { fill: #ff7b72 }
  .paper { fill: #0d1117 }
  .card { fill: #151b23; stroke: #3d444d }
  .area { fill: #1f6feb }
  .area.broken { fill: #da3633 }
  .axis { stroke: #9198a1 }
  .limit { stroke: #f0883e }
  .promise { stroke: #3fb950 }
}
`
