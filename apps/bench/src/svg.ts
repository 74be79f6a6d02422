import type { Chart } from './chart.js'

const width = 760
const margin = 24

/** Draws charts below each other, with the machine at the foot. */
export function svgOf(charts: readonly Chart[], machine: string): string {
  let top = margin
  const parts = charts.map((chart) => {
    const { drawn, height } = chart.kind === 'bars' ? barChart(chart) : lineChart(chart)
    const part = `<g transform="translate(${margin} ${top})">${drawn}</g>`
    top += height + margin
    return part
  })
  const height = top + margin
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...parts,
    text(margin, height - 12, machine, 'fill="#666" font-size="10"'),
    '</svg>',
    '',
  ].join('\n')
}

interface Drawn {
  readonly drawn: string
  readonly height: number
}

function barChart({ title, unit, bars }: Chart & { kind: 'bars' }): Drawn {
  const left = 330
  const most = Math.max(...bars.map(({ value }) => value))
  const rows = bars.map(({ name, value }, i) => {
    const y = 26 + 20 * i
    const length = Math.max(1, Math.round((value / most) * 270))
    return [
      text(left - 8, y + 11, name, 'text-anchor="end"'),
      `<rect x="${left}" y="${y}" width="${length}" height="14" fill="#3b7dd8"/>`,
      text(left + length + 6, y + 11, rounded(value)),
    ].join('')
  })
  return { drawn: heading(title, unit) + rows.join(''), height: 26 + 20 * bars.length }
}

const colors = ['#3b7dd8', '#d8663b', '#3ba55d', '#8d5bd8', '#b59a1f', '#d83b8d', '#444', '#3bb5b5']

function lineChart({ title, unit, over, lines }: Chart & { kind: 'lines' }): Drawn {
  const [chartWidth, chartHeight, left] = [480, 180, 50]
  const points = lines.flatMap((line) => line.points)
  const xs = points.map(([x]) => Math.log10(x))
  const [low, high] = [Math.min(...xs), Math.max(...xs)]
  const most = Math.max(...points.map(([, y]) => y))
  const atX = (x: number) =>
    round(left + ((Math.log10(x) - low) / Math.max(high - low, 1e-9)) * chartWidth)
  const atY = (y: number) => round(30 + chartHeight - (y / most) * chartHeight)
  const ticks = [...new Set(points.map(([x]) => x))]
  return {
    drawn: [
      heading(title, unit),
      `<path d="M${left} 30V${30 + chartHeight}H${left + chartWidth}" fill="none" stroke="#999"/>`,
      text(left - 6, 36, rounded(most), 'text-anchor="end" fill="#666"'),
      text(left - 6, 30 + chartHeight, '0', 'text-anchor="end" fill="#666"'),
      ...ticks.map((x) =>
        text(atX(x), 46 + chartHeight, rounded(x), 'text-anchor="middle" fill="#666"'),
      ),
      text(left + chartWidth / 2, 62 + chartHeight, over, 'text-anchor="middle" fill="#666"'),
      ...lines.map(({ points }, i) => {
        const path = points.map(([x, y]) => `${atX(x)},${atY(y)}`).join(' ')
        return `<polyline points="${path}" fill="none" stroke="${colors[i % colors.length]}" stroke-width="1.5"/>`
      }),
      ...lines.map(({ name }, i) =>
        text(left + chartWidth + 12, 42 + 16 * i, name, `fill="${colors[i % colors.length]}"`),
      ),
    ].join(''),
    height: 70 + chartHeight,
  }
}

function heading(title: string, unit: string): string {
  return text(0, 12, `${title}: ${unit}`, 'font-weight="600"')
}

function text(x: number, y: number, content: string, more = ''): string {
  const escaped = content.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;' })[c] ?? '&gt;')
  return `<text x="${x}" y="${y}" ${more}>${escaped}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function rounded(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US')
}
