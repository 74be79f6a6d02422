import type { Law } from './law.js'
import { acquireWaitsItsTurn } from './laws/acquire.js'
import { bound } from './laws/bound.js'
import { policyMayChange, policyMayChangeByCall } from './laws/change.js'
import { debtIsBounded } from './laws/charge.js'
import { farAheadIsEmpty, ownTimeDecides, stepBackAdmitsNothing } from './laws/clock.js'
import { exactWait, onlyNeededDenials } from './laws/completeness.js'
import { retryAfterIsExact } from './laws/decision.js'
import {
  allOrNothing,
  denialCostsNothing,
  denialWritesNothing,
  judgingChangesNothing,
} from './laws/denial.js'
import { failsAlone, gatheredEqualsSequential, shadowsDenyNothing } from './laws/gathering.js'
import { keyPairsAreOpaque, keysAreOpaque } from './laws/keys.js'
import { shortestLivedGoesFirst, sizeIsBounded, stateIsBounded } from './laws/memory.js'
import { mixedDecideAsOne } from './laws/mixed.js'
import { refundLeavesTtl, refundOnce, refundUndoes } from './laws/refund.js'
import { remainingIsTrue, resetIsTrue } from './laws/remaining.js'
import { settledCountsActual } from './laws/settle.js'
import {
  everyWriteSetsTtl,
  lostTtlHeals,
  othersForgetNothing,
  ttlIsGarbageCollection,
} from './laws/ttl.js'
import { twinsAgree } from './laws/twins.js'

/** The laws of a rule, for the author of an algorithm: check them on every store at hand. */
export const algorithmLaws: readonly Law[] = [
  bound,
  exactWait,
  acquireWaitsItsTurn,
  onlyNeededDenials,
  denialCostsNothing,
  judgingChangesNothing,
  remainingIsTrue,
  debtIsBounded,
  resetIsTrue,
  ttlIsGarbageCollection,
  twinsAgree,
  refundUndoes,
  settledCountsActual,
  stepBackAdmitsNothing,
  farAheadIsEmpty,
  policyMayChange,
  policyMayChangeByCall,
  stateIsBounded,
  sizeIsBounded,
]

/** The laws of a store, for the author of a store or a driver: check them with any algorithm. */
export const storeLaws: readonly Law[] = [
  retryAfterIsExact,
  acquireWaitsItsTurn,
  denialWritesNothing,
  allOrNothing,
  everyWriteSetsTtl,
  lostTtlHeals,
  othersForgetNothing,
  twinsAgree,
  refundOnce,
  settledCountsActual,
  refundLeavesTtl,
  gatheredEqualsSequential,
  failsAlone,
  mixedDecideAsOne,
  shadowsDenyNothing,
  policyMayChangeByCall,
  ownTimeDecides,
  keysAreOpaque,
  keyPairsAreOpaque,
  shortestLivedGoesFirst,
  sizeIsBounded,
]

/** All of them, each once. */
export const laws: readonly Law[] = [...new Set([...algorithmLaws, ...storeLaws])]
