/** `latest`, or the latest session of what is named before it: `garden:latest`. */
export const LATEST = /^(?:(.+):)?(?:latest|last)$/is

/** A machine or a person, whose sessions a team store has among others. */
export interface Owner {
  dimension: 'device' | 'person'
  /** Its name, or a part of one, as somebody wrote it. */
  name: string
}

/** The machine or person that is meant by `device:oak` or `person:ann`. Undefined for any other name. */
export function ownerNamed(text: string): Owner | undefined {
  const [, dimension, name] = /^(device|person):(.+)$/is.exec(text) ?? []
  return name === undefined ? undefined : { dimension: dimension!.toLowerCase() as Owner['dimension'], name }
}
