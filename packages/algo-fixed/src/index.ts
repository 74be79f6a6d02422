export { type FixedWindowOptions, fixedWindow } from './fixed-window.js'
