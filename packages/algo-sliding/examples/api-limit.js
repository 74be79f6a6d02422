// An HTTP API that lets every client make 5 requests in any 10 seconds, however many processes serve it.
//
//   npx -y pnpm@12 build && node packages/algo-sliding/examples/api-limit.js      (with a Redis on its usual port)

import { ioredisOptions, ioredisStore } from '@spillway/adapter-ioredis'
import { slidingWindow } from '@spillway/algo-sliding'
import { allowOnFailure, createLimiter, denyCache, withTimeout } from '@spillway/core'
import express from 'express'
import { Redis } from 'ioredis'

const redis = new Redis('redis://localhost:6379', ioredisOptions)
redis.on('error', ({ message }) => console.error(message))

const limiter = createLimiter({
  // From the inside out: who has been denied is refused by this process alone until it is time; Redis has two seconds
  // to answer; and without an answer the API goes on without a limit.
  store: allowOnFailure(withTimeout(denyCache(ioredisStore(redis)), 2000)),
  policies: { api: slidingWindow({ limit: 5, window: '10s' }) },
})

/** Express middleware. One key per client: its API key if it has one, else its address. */
async function limited(request, response, next) {
  const decision = await limiter.consume(request.get('x-api-key') ?? request.ip)
  // What was only assumed has no numbers.
  if (decision.source !== 'assumed') response.set('RateLimit-Remaining', String(decision.remaining))
  if (decision.allowed) return next()
  response.set('Retry-After', String(Math.ceil(decision.retryAfterMs / 1000)))
  response.status(429).send('Too many requests')
}

const app = express()
app.use(limited)
app.get('/', (_, response) => response.send('Hello'))

const server = app.listen(0)
const url = `http://localhost:${server.address().port}`

for (let i = 1; i <= 7; i++) {
  const response = await fetch(url, { headers: { 'x-api-key': `client-${process.pid}` } })
  console.log(response.status, await response.text(), response.headers.get('RateLimit-Remaining'))
}

server.close()
await redis.quit()
