import type { Law } from './law.js'
import { bound } from './laws/bound.js'
import { policyMayChange } from './laws/change.js'
import { farAheadIsEmpty, stepBackAdmitsNothing } from './laws/clock.js'
import { exactWait, onlyNeededDenials } from './laws/completeness.js'
import { allOrNothing, denialCostsNothing, denialWritesNothing } from './laws/denial.js'
import { failsAlone, gatheredEqualsSequential } from './laws/gathering.js'
import { keysAreOpaque } from './laws/keys.js'
import { shortestLivedGoesFirst, stateIsBounded } from './laws/memory.js'
import { refundLeavesTtl, refundOnce, refundUndoes } from './laws/refund.js'
import { remainingIsTrue } from './laws/remaining.js'
import { everyWriteSetsTtl, lostTtlHeals, ttlIsGarbageCollection } from './laws/ttl.js'
import { twinsAgree } from './laws/twins.js'

/** The laws of a rule, for the author of an algorithm: check them on every store at hand. */
export const algorithmLaws: readonly Law[] = [
  bound,
  exactWait,
  onlyNeededDenials,
  denialCostsNothing,
  remainingIsTrue,
  ttlIsGarbageCollection,
  twinsAgree,
  refundUndoes,
  stepBackAdmitsNothing,
  farAheadIsEmpty,
  policyMayChange,
  stateIsBounded,
]

/** The laws of a store, for the author of a store or a driver: check them with any algorithm. */
export const storeLaws: readonly Law[] = [
  denialWritesNothing,
  allOrNothing,
  everyWriteSetsTtl,
  lostTtlHeals,
  twinsAgree,
  refundOnce,
  refundLeavesTtl,
  gatheredEqualsSequential,
  failsAlone,
  keysAreOpaque,
  shortestLivedGoesFirst,
]

/** All of them, each once. */
export const laws: readonly Law[] = [...new Set([...algorithmLaws, ...storeLaws])]
