import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A certificate and its key, as files and as PEM. */
export interface Certificate {
  files: { cert: string; key: string }
  cert: string
  key: string
}

/**
 * Makes a certificate with `openssl`, for one address (`IP:127.0.0.1` or `DNS:db.example.org`), which it signs
 * itself unless another one is given.
 */
export function makeCertificate(folder: string, address: string, signer?: Certificate): Certificate {
  const name = `${address.replaceAll(/\W/g, '-')}-${signer ? 'signed' : 'own'}`
  const files = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) }
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ]
  const by = signer ? ['-CA', signer.files.cert, '-CAkey', signer.files.key] : []
  const of = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${address}`]
  execFileSync('openssl', [...made, ...by, ...of, '-keyout', files.key, '-out', files.cert], {
    stdio: 'ignore',
  })
  return { files, cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') }
}
