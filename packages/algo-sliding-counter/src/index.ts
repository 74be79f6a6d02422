export { type SegmentedWindowOptions, segmentedWindow } from './segmented-window.js'
export { type SlidingCounterOptions, slidingCounter } from './sliding-counter.js'
