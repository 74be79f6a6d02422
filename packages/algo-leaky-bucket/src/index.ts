export { type LeakyBucketOptions, leakyBucket } from './leaky-bucket.js'
