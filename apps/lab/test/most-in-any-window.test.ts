import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mostInAnyWindow } from '../src/most-in-any-window.js'

const at = (...times: number[]) => ({ sentUs: times, answeredUs: times })

describe('with exact times', () => {
  test('a window is half-open: what is a whole window later is in the next one', () => {
    expect(mostInAnyWindow(at(0, 10), 10)).toBe(1)
    expect(mostInAnyWindow(at(0, 9), 10)).toBe(2)
  })

  test('nothing admitted is nothing in any window', () => {
    expect(mostInAnyWindow(at(), 10)).toBe(0)
  })

  test('it equals what counting from every start finds', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200)), fc.integer({ min: 1, max: 50 }), (times, window) => {
        const counts = times.map(
          (start) => times.filter((time) => time >= start && time < start + window).length,
        )
        expect(mostInAnyWindow(at(...times), window)).toBe(Math.max(0, ...counts))
      }),
    )
  })
})

test('it never counts more than there can have been, wherever in its span each was decided', () => {
  const span = fc.record({ sent: fc.nat(200), flight: fc.nat(60), share: fc.nat(100) })
  fc.assert(
    fc.property(fc.array(span), fc.integer({ min: 1, max: 50 }), (spans, window) => {
      const decided = spans.map(({ sent, flight, share }) => sent + (flight * share) / 100)
      const seen = {
        sentUs: spans.map(({ sent }) => sent),
        answeredUs: spans.map(({ sent, flight }) => sent + flight),
      }
      expect(mostInAnyWindow(seen, window)).toBeLessThanOrEqual(
        mostInAnyWindow(at(...decided), window),
      )
    }),
  )
})

test('one too many is found as soon as all were answered within a window of the first sending', () => {
  expect(mostInAnyWindow({ sentUs: [0, 5, 90], answeredUs: [2, 8, 99] }, 100)).toBe(3)
  expect(mostInAnyWindow({ sentUs: [0, 5, 90], answeredUs: [2, 8, 100] }, 100)).toBe(2)
})
