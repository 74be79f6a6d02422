// Calls to somebody else's API that allows 20 a second and minds bursts: `acquire` waits for a turn, and the leaky
// bucket spaces the turns 50 ms apart.
//
//   npx -y pnpm@12 build && node packages/algo-leaky-bucket/examples/outbound-pacing.js

import { leakyBucket } from '@spillway/algo-leaky-bucket'
import { createLimiter, memoryStore } from '@spillway/core'

const limiter = createLimiter({
  store: memoryStore(), // ioredisStore(redis) where several processes share the 20 a second
  policies: { outbound: leakyBucket({ limit: 20, window: '1s', queue: 100 }) },
})

const start = performance.now()

async function send(message, options) {
  await limiter.acquire('api.example.org', options)
  console.log(`sent ${message}`)
}

// All are asked for at once, and go out one after another.
const sent = ['one', 'two', 'three', 'four', 'five'].map((message) => send(message))

// Who cannot wait is told so at once, and his turn goes back: the sixth one would be in 250 ms.
await send('urgent', { timeoutMs: 100 }).catch(({ code }) => console.log(`urgent: ${code}`))

// Who no longer wants to wait says so.
const page = new AbortController()
const abandoned = send('abandoned', { signal: page.signal })
page.abort('the page was closed')
await abandoned.catch((reason) => console.log(`abandoned: ${reason}`))

await Promise.all(sent)
await send('six')
const ms = performance.now() - start
console.log(ms > 240 ? 'the sixth turn came 250 ms after the first' : `too fast: ${ms} ms`)
