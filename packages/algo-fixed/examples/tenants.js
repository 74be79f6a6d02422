// Tenants with a daily quota each, whose users may not burst: a day's quota by the calendar, as it stands in a contract,
// and a short limit for each user. A tenant's plan decides how much.
//
//   npx -y pnpm@12 build && node packages/algo-fixed/examples/tenants.js      (with a Redis on its usual port)

import { ioredisOptions, ioredisStore } from '@spillway/adapter-ioredis'
import { fixedWindow } from '@spillway/algo-fixed'
import { gcra } from '@spillway/algo-gcra'
import { createLimiter } from '@spillway/core'
import { Redis } from 'ioredis'

const redis = new Redis('redis://localhost:6379', ioredisOptions)
redis.on('error', ({ message }) => console.error(message))
await redis.ping().catch(() => {
  console.error('start one by `redis-server` or `docker run -p 6379:6379 redis:8`')
  process.exit(1)
})

const plans = {
  free: {
    daily: fixedWindow({ limit: 6, window: '1d' }),
    burst: gcra({ limit: 60, window: '1h', burst: 3 }),
  },
  paid: {
    daily: fixedWindow({ limit: 100_000, window: '1d' }),
    burst: gcra({ limit: 3600, window: '1h', burst: 100 }),
  },
}

const limiter = createLimiter({
  store: ioredisStore(redis),
  policies: plans.free,
  slotBy: 'daily', // in a Redis Cluster, a tenant's users live where the tenant does
})

/** One request of a user: one decision on both policies, all or nothing, in one round trip. */
function ask(tenant, user) {
  const key = { daily: tenant.name, burst: user }
  return limiter.consume(key, 1, { policies: plans[tenant.plan] })
}

async function show(tenant, user) {
  const { allowed, policy, policies } = await ask(tenant, user)
  const { daily, burst } = policies
  const left = `${daily.remaining} a day, ${burst.remaining} at once`
  console.log(`${user}: ${allowed ? 'ok' : `denied by ${policy}`}, left ${left}`)
}

const acme = { name: `acme-${process.pid}`, plan: 'free' }
for (let i = 0; i < 4; i++) await show(acme, 'ann') // the fourth is a burst, which costs the tenant nothing
for (let i = 0; i < 3; i++) await show(acme, 'bob')
await show(acme, 'cleo') // the day's quota is used up

acme.plan = 'paid' // the day's count stays; so does the time until a burst has drained, at the old rate
await show(acme, 'cleo')
await show(acme, 'ann') // her three take three minutes, which is more than a burst of 100 at 3,600 an hour

await redis.quit()
