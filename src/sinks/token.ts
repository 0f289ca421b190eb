import { readPrivateFile } from '../io/private-file.ts'
import { SinkError } from './sink.ts'

export interface TokenPlace {
  /** Name of an environment variable. */
  tokenEnv?: string
  /** Path of a file that only its owner may read. */
  tokenFile?: string
  variables: Readonly<Record<string, string | undefined>>
}

/** What stands for us at a server. It is shown to nobody. */
export interface Token {
  /** The value of an `Authorization` header; undefined where no token was named. */
  header(): string | undefined
  /** Reads it again where it may have changed. False when it is the same. */
  renew(): boolean
}

/** Visible ASCII: anything else would end the header, or begin another. */
const USABLE = /^[\x21-\x7e]+$/

/** Throws a `SinkError` that says how to mend it where the token cannot be used. */
export function tokenFrom({ tokenEnv, tokenFile, variables }: TokenPlace): Token {
  if (tokenEnv !== undefined && tokenFile !== undefined)
    throw new SinkError('stop', 'A token from a variable and one from a file: which?', {
      wayOut: 'Give --token-env or --token-file.',
    })
  if (tokenEnv !== undefined) {
    const value = checked(variables[tokenEnv], `The variable ${tokenEnv}`)
    return { header: () => `Bearer ${value}`, renew: () => false }
  }
  if (tokenFile === undefined) return { header: () => undefined, renew: () => false }
  let value = fromFile(tokenFile)
  return {
    header: () => `Bearer ${value}`,
    renew() {
      const before = value
      value = fromFile(tokenFile)
      return value !== before
    },
  }
}

function fromFile(path: string): string {
  const { text, open } = read(path)
  if (open)
    throw new SinkError('stop', `${path} holds a token, and others may read it.`, {
      wayOut: `Keep it to yourself: chmod 600 ${path}`,
    })
  return checked(text, path)
}

function read(path: string): ReturnType<typeof readPrivateFile> {
  try {
    return readPrivateFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SinkError('stop', `${path}: the token cannot be read (${code}).`, {
      wayOut: 'Name a file that holds nothing but the token with --token-file.',
      cause: error,
    })
  }
}

function checked(text: string | undefined, place: string): string {
  const token = text?.trim() ?? ''
  if (token === '')
    throw new SinkError('stop', `${place} holds no token.`, { wayOut: 'Put the token into it.' })
  if (!USABLE.test(token))
    throw new SinkError('stop', `${place}: what it holds is no token.`, {
      wayOut: 'A token is one word of letters, digits and signs.',
    })
  return token
}
