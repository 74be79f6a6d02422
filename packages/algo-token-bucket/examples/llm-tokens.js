// Calls to a language model: 60 requests and 10,000 tokens a minute for each organisation. How many tokens a call takes
// is known only afterwards, so an estimate is reserved and then settled.
//
//   npx -y pnpm@12 build && node packages/algo-token-bucket/examples/llm-tokens.js

import { tokenBucket } from '@spillway/algo-token-bucket'
import { createLimiter, memoryStore } from '@spillway/core'

const limiter = createLimiter({
  store: memoryStore(), // ioredisStore(redis) where several processes call the model
  policies: {
    requests: tokenBucket({ capacity: 60, refill: 60, interval: '1m' }),
    tokens: tokenBucket({ capacity: 10_000, refill: 10_000, interval: '1m' }),
  },
})

async function complete(organisation, prompt, maxAnswer) {
  // Four letters are about a token, and the answer may be as long as it is allowed to be.
  const estimate = Math.ceil(prompt.length / 4) + maxAnswer
  const reservation = await limiter.reserve(organisation, { requests: 1, tokens: estimate })
  if (!reservation.allowed) {
    const seconds = Math.ceil(reservation.retryAfterMs / 1000) // null only for more than 10,000 tokens
    return `not enough ${reservation.policy}, come back in ${seconds} s`
  }
  let answer
  try {
    answer = await callModel(prompt)
  } catch (error) {
    await reservation.cancel() // nothing came of it, and nothing is charged
    throw error
  }
  // Less than estimated goes back; more is charged, and later calls wait for it if there is nothing left.
  await reservation.settle({ requests: 1, tokens: answer.tokens })
  return answer.text
}

/** Stands for the model. */
async function callModel(prompt) {
  if (prompt === 'fail') throw new Error('the model is overloaded')
  return { text: `${prompt}? Certainly.`, tokens: prompt === 'Long' ? 9_950 : 150 }
}

async function show(...request) {
  console.log(await complete('org:7', ...request).catch(({ message }) => message))
}

await show('Short', 4000) // reserves 4,002 and takes 150
await show('fail', 4000) // takes nothing
await show('Long', 4000) // reserves 4,001 and takes 9,950: 100 more than there were
await show('Short', 4000)
