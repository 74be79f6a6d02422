import { expect, test } from 'vitest'
import { areaChart } from '../src/area-chart.js'

const ticks = ['0', '1', '2'] as const

test('draws values as blocks to an eighth of a line, and lines where they leave room', () => {
  const chart = areaChart({
    values: [0, 1, 5, 10, 15, 20, 10, 4, 0, 0],
    highest: 20,
    rows: 4,
    lines: [
      { value: 10, label: 'limit' },
      { value: 20, label: 'promise' },
    ],
    ticks,
  })
  expect(chart).toEqual([
    '20 ┤▔▔▔▔▔█▔▔▔▔ promise',
    '   │    ██',
    '10 ┤▔▔▔████▔▔▔ limit',
    '   │ ▂█████▆',
    ' 0 └──────────',
    '    0    1   2',
  ])
})

test('colours nothing but what it is told to, and leaves the drawing as it is', () => {
  const options = { values: [1, 2], highest: 2, rows: 2, lines: [{ value: 2, label: 'x' }], ticks }
  const painted = areaChart({
    ...options,
    paint: { area: (text) => `<${text}>`, line: (text) => `(${text})`, frame: (text) => text },
  })
  expect(painted.join('\n').replace(/[<>()]/g, '')).toBe(areaChart(options).join('\n'))
  expect(painted[0]).toBe('2 ┤(▔)<█> (x)')
})
