export { type TokenBucketOptions, tokenBucket } from './token-bucket.js'
