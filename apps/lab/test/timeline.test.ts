import { expect, test } from 'vitest'
import { timeline } from '../src/timeline.js'

const burst = (atMs: number, allowed: number, denied: number) => ({ atMs, allowed, denied })

test('each burst is a column of marks where it was, what was denied on top', () => {
  const lines = timeline({
    bursts: [burst(-200, 3, 0), burst(200, 1, 1)],
    leadMs: 200,
    boundary: '12:00:10 UTC',
    captions: ['one window', 'another'],
  })
  expect(`\n${lines.join('\n')}\n`).toBe(`
                             12:00:10 UTC
             ●                     │
             ●                     │                     ×
             ●                     │                     ●
─────────────┼─────────────────────┼─────────────────────┼─────────────
          −200 ms                  0                  +200 ms
└────────── one window ───────────┘ └──────────── another ────────────┘
`)
})

test('a burst that came late is drawn late, and one caption spans it all', () => {
  const lines = timeline({
    bursts: [burst(-100, 1, 0), burst(640, 0, 1)],
    leadMs: 200,
    boundary: '12:00:10 UTC',
    captions: ['everything'],
  })
  expect(`\n${lines.join('\n')}\n`).toBe(`
                             12:00:10 UTC
                              ●    │                               ×
─────────────────────────┼─────────┼─────────┼─────────────────────────
                      −200 ms      0      +200 ms
└──────────────────────────── everything ─────────────────────────────┘
`)
})

test('many requests share marks, and none is lost in rounding', () => {
  const lines = timeline({
    bursts: [burst(-200, 100, 1), burst(200, 0, 101)],
    leadMs: 200,
    boundary: '0',
    captions: [''],
  })
  const marks = lines.join('')
  expect(lines.length).toBeLessThanOrEqual(1 + 17 + 3)
  expect(marks).toContain('●')
  expect(marks.match(/×/g)).toHaveLength(1 + Math.ceil(101 / 7))
})

test('parts are coloured, and colours take no room', () => {
  const options = {
    bursts: [burst(-200, 2, 1), burst(200, 2, 1)],
    leadMs: 200,
    boundary: '12:00:10 UTC',
    captions: ['everything'] as const,
  }
  const paint = {
    allowed: (text: string) => `<g>${text}</g>`,
    denied: (text: string) => `<r>${text}</r>`,
  }
  const painted = timeline({ ...options, paint }).map((line) => line.replace(/<.*?>/g, ''))
  expect(painted).toEqual(timeline(options))
})
