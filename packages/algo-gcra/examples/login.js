// A login that slows down whoever guesses passwords: per account, so that one account cannot be tried for long from
// many addresses, and per address, so that one address cannot try many accounts.
//
//   npx -y pnpm@12 build && node packages/algo-gcra/examples/login.js

import { gcra } from '@spillway/algo-gcra'
import { createLimiter, memoryStore } from '@spillway/core'

// ioredisStore(redis) where several processes log people in: with a single Redis, since an account and an address have
// no slot of a Cluster in common.
const store = memoryStore()

// Five guesses in a row, then one every two minutes; for an address four times as many.
const account = gcra({ limit: 30, window: '1h', burst: 5 })
const address = gcra({ limit: 120, window: '1h', burst: 20 })

const logins = createLimiter({ store, prefix: 'login', policies: { account, address } })
// The accounts alone: the same prefix and name, hence the same counts.
const accounts = createLimiter({ store, prefix: 'login', policies: { account } })

async function logIn(name, from, password) {
  // Both or none: what the account's limit denies, the address is not charged for.
  const attempt = await logins.consume({ account: name, address: from })
  if (!attempt.allowed) return `slow down: too many attempts for this ${attempt.policy}`
  if (!isRight(name, password)) return 'wrong password'

  // Success clears the account and takes this attempt off the address. Clearing the address altogether would let an
  // attacker go on with guessing by logging in to an account of his own now and then.
  await accounts.reset(name)
  await logins.refund(attempt, { address: 1 })
  return 'welcome'
}

const isRight = (_name, password) => password === 'correct horse battery staple'

for (let i = 0; i < 4; i++) console.log('alice', await logIn('alice', '192.0.2.1', `guess ${i}`))
console.log('alice', await logIn('alice', '192.0.2.1', 'correct horse battery staple'))
for (let i = 0; i < 6; i++) console.log('alice', await logIn('alice', '198.51.100.7', `guess ${i}`))

// The attacker turns to other accounts, and his address has 15 guesses left.
const others = []
for (let i = 0; i < 16; i++) others.push(await logIn(`user-${i}`, '198.51.100.7', '123456'))
console.log('others', others.at(-2))
console.log('others', others.at(-1))
