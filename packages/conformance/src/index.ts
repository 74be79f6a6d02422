export type { Law, Replay } from './law.js'
export { algorithmLaws, laws, storeLaws } from './laws.js'
export { sameDecisionsAs } from './same-decisions.js'
export type { Inspector, StoreUnderTest, Subject } from './subject.js'
