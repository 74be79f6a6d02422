export { type Instrumentation, type InstrumentOptions, instrument } from './instrument.js'
