export {
  type CompactSlidingWindowOptions,
  compactSlidingWindow,
} from './compact-sliding-window.js'
