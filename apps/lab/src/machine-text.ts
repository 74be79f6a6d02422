import { availableParallelism, cpus } from 'node:os'

/** The machine of a measurement: `2 cores of AMD EPYC 7B13, Node 20.20.2`. */
export function machineText(): string {
  const count = availableParallelism()
  const model = (cpus()[0]?.model ?? '').replace(/\s+/g, ' ').trim()
  const cores = `${count} ${count === 1 ? 'core' : 'cores'}`
  return `${cores}${model === '' ? '' : ` of ${model}`}, Node ${process.versions.node}`
}
