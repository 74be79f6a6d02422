import type { Request, Ruling, Store, TargetRuling } from '../src/index.js'

/** A store that remembers what it was asked. */
export interface SpyStore extends Store {
  readonly requests: readonly Request[]
  readonly forgotten: readonly string[]
  /** How often it was asked anything. */
  readonly calls: number
}

/** Answers every request by `answer`; on its own it allows everything. */
export function spyStore(answer: (request: Request) => Promise<Ruling> | Ruling = allow): SpyStore {
  const requests: Request[] = []
  const forgotten: string[] = []
  return {
    requests,
    forgotten,
    get calls() {
      return requests.length + forgotten.length
    },
    async decide(request) {
      requests.push(request)
      return answer(request)
    },
    async forget(keys) {
      forgotten.push(...keys)
    },
  }
}

/** A ruling made of what matters to a test, target by target. */
export function ruling(...targets: readonly Partial<TargetRuling>[]): Ruling {
  const full = targets.map((own) => ({
    allowed: true,
    remaining: 0,
    wait: 0,
    reset: 0,
    receipt: 0,
    ...own,
  }))
  return { allowed: full.every(({ allowed }) => allowed), targets: full, source: 'store' }
}

function allow({ targets }: Request): Ruling {
  return ruling(...targets.map(({ policy }) => ({ remaining: policy.capacity })))
}
