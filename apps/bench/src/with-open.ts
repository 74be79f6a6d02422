import type { Limit, OpenSubject, Subject } from './subject.js'

/** Opens subjects for `use`, and closes them however that ends. */
export async function withOpen<T>(
  subjects: readonly Subject[],
  url: string,
  limit: Limit,
  use: (open: ReadonlyMap<Subject, OpenSubject>) => Promise<T>,
): Promise<T> {
  const open = new Map<Subject, OpenSubject>()
  try {
    for (const subject of subjects) open.set(subject, await subject.open(url, limit))
    return await use(open)
  } finally {
    for (const one of open.values()) one.close()
  }
}
