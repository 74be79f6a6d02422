import { fixedWindow } from '@spillway/algo-fixed'
import { slidingWindow } from '@spillway/algo-sliding'
import type { Policy } from '@spillway/core'
import type { AlgorithmName } from './settings.js'

/** The two algorithms of the lesson, and how people call them. */
export const lessons: Readonly<
  Record<AlgorithmName, { title: string; policy(limit: number, windowMs: number): Policy }>
> = {
  fixed: {
    title: 'Fixed window',
    policy: (limit, windowMs) => fixedWindow({ limit, window: windowMs }),
  },
  sliding: {
    title: 'Sliding window',
    policy: (limit, windowMs) => slidingWindow({ limit, window: windowMs }),
  },
}
