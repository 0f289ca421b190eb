import { readPrivateFile } from '../io/own-files.ts'
import { shellWord } from '../model/shell-word.ts'
import { SinkError } from './sink.ts'

export interface TokenSource {
  /** The name of an environment variable. */
  tokenEnv?: string
  /** The path of a file that only its owner may read. */
  tokenFile?: string
  variables: Readonly<Record<string, string | undefined>>
}

/** Authenticates us to a server. Never printed. */
interface Token {
  /** The value of the `Authorization` header. Undefined if there is no token. */
  header(): string | undefined
  /** Reads the token again. Returns false if it has not changed. */
  renew(): boolean
}

/** Visible ASCII. Anything else would end the header or begin another. */
const USABLE = /^[\x21-\x7e]+$/

/** Throws a `SinkError` with a remedy if the token cannot be used. */
export function tokenFrom({ tokenEnv, tokenFile, variables }: TokenSource): Token {
  if (tokenEnv !== undefined && tokenFile !== undefined)
    throw new SinkError('stop', '--token-env and --token-file cannot be combined.', {
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
    throw new SinkError('stop', `${path} contains a token and can be read by others.`, {
      wayOut: `Make it private: chmod 600 ${shellWord(path)}`,
    })
  return checked(text, path)
}

function read(path: string): ReturnType<typeof readPrivateFile> {
  try {
    return readPrivateFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SinkError('stop', `${path}: the token cannot be read (${code}).`, {
      wayOut: 'Use --token-file with a file that contains only the token.',
      cause: error,
    })
  }
}

function checked(text: string | undefined, name: string): string {
  const token = text?.trim() ?? ''
  if (token === '')
    throw new SinkError('stop', `${name} contains no token.`, { wayOut: 'Put the token into it.' })
  if (!USABLE.test(token))
    throw new SinkError('stop', `${name}: the token is invalid.`, {
      wayOut: 'Use visible ASCII characters without spaces.',
    })
  return token
}
