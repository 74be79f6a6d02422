export { type GcraOptions, gcra } from './gcra.js'
