export { type SlidingWindowOptions, slidingWindow } from './sliding-window.js'
