import { describe, expect, it } from 'vitest'
import { rules } from '../../src/redact/all-rules.ts'
import { findSecrets, redact } from '../../src/redact/redact.ts'
import { triggerOf } from '../../src/redact/rule.ts'
import { createRandom } from '../random.ts'
import { draw, invent } from './parts.ts'
import { secretShapes } from './secret-shapes.ts'

const random = createRandom(23)
const key = draw(random, 'alnum', 32)
const hexKey = draw(random, 'hex', 40)
const session = `${draw(random, 'base64', 86)}==`
const password = ['Brezel', '1971!3w'].join('')
const word = ['maple', '4883'].join('')

const leaves = (text: string, secret: string): void => {
  expect(redact(text), text).not.toContain(secret.slice(0, 8))
}

describe('a key that its vendor identifies', () => {
  it('is redacted beside every sign of the names of files and folders', () => {
    for (const { kind, shape, named } of secretShapes) {
      if (named) continue
      const secret = invent(random, shape)
      if (/\s/.test(secret) || redact(secret) === secret) continue
      const label = redact(secret)
      for (const [before, after] of [
        ['-', '-'],
        ['_', '_'],
        ['-home-ann-', '-src'],
        ['/tmp/', '_2'],
        ['run_', '-2.jsonl'],
        ['', '/src'],
      ]) {
        const found = redact(`${before}${secret}${after}`)
        expect(found, `${kind}: ${before}KEY${after}`).not.toContain(secret.slice(-8))
        expect(label, kind).toMatch(/\[REDACTED:/)
      }
    }
  })
})

describe('a token in an environment', () => {
  const names =
    'LINODE NODE K3S_NODE PAGE FB_PAGE FILE GODOC HOMEPAGE STATUSPAGE WIKI PROFILE AIRTABLE TABLE RENTABLE NEXT SYNC SPACE MYSPACE'
  it.each(names.split(' '))('is redacted, whatever word its name ends in: %s_TOKEN', (name) => {
    leaves(`${name}_TOKEN=${key}`, key)
  })

  it('is told from positions in a listing and from ids of documents', () => {
    for (const text of [
      `nextPageToken: ${key}`,
      JSON.stringify({ page_token: key, sync_token: key, docToken: key, node_token: key, file_token: key }),
    ])
      expect(redact(text)).toBe(text)
    for (const name of ['statuspage_token', 'airtable_token', 'linode_token'])
      leaves(JSON.stringify({ [name]: key }), key)
  })
})

describe('a key in a sentence', () => {
  it.each([
    `My API key: ${key}`,
    `here is my API key: ${hexKey}`,
    `here is my API key ${key} please use it`,
    `Secret key: ${hexKey}`,
    `Access key: ${key}`,
    `Here is the key: ${key}`,
    `key: ${key}`,
    `apikey ${key}`,
    `use ${key} as the API key`,
    `${hexKey} is the token for the deploy`,
    `my openai key is ${key}`,
    `call it with the key ${hexKey}`,
    `Nimm das Token ${hexKey} für die Seite`,
    `la clave API es ${key}`,
    `API 密钥：${key}`,
  ])('is redacted: %#', (text) => {
    expect(redact(text)).not.toMatch(new RegExp(`${key.slice(0, 8)}|${hexKey.slice(0, 8)}`))
  })

  it.each([
    `the cache key ${hexKey} was evicted`,
    `public key: ${hexKey}`,
    `commit ${hexKey} is the key change`,
    'use the key from the settings as the API key of the page',
    'the token limit is 200000 and the key size 256',
  ])('is told from what is no secret: %#', (text) => {
    expect(redact(text)).toBe(text)
  })
})

describe('a password in a sentence', () => {
  it.each([
    `log in with bob / ${password}`,
    `creds: admin / ${password}`,
    `Zugangsdaten: admin / ${word}`,
    `Identifiants : ann / ${password}`,
    `Credenciales: ann / ${word}`,
    `Dane logowania: ann / ${password}`,
    `用 ann / ${password} 登录`,
    `mi clave es ${password}`,
    `PW ist ${password}`,
    `usuário bob, senha ${password}`,
    `usuario bob, contraseña ${password}`,
    `login bob, hasło ${password}`,
    `密码是「${password}」`,
    `password → ${password}`,
    `password -> ${password}`,
    `the db password? it's ${password}`,
    `it will ask for a password, use ${password}`,
    `ich habe das Passwort auf ${password} geändert`,
    `j'ai changé le mot de passe en ${password} hier soir`,
    `A temporary password is generated for root@localhost: ${password}`,
    `recovery code: ${draw(random, 'small', 4)}3-7${draw(random, 'small', 4)}`,
  ])('is redacted: %#', (text) => {
    expect(redact(text)).not.toBe(text)
    expect(redact(text)).not.toMatch(/Brezel|maple/)
  })

  it.each([
    'sign in with SSO / SAML',
    'log in at 10:30 / 11:45, or on 2026-03-01 / 2026-03-02',
    'set the password to at least 12 characters',
    'the password is hashed with argon2id',
    '| login | 41579 | 3fed5f05 | 2026-10-09T01:59:42.998Z |',
  ])('is told from what is no secret: %#', (text) => {
    expect(redact(text)).toBe(text)
  })
})

describe('quotes within quotes', () => {
  it.each([
    String.raw`ssh web1 'export DB_PASSWORD='\''${password}'\'' && ./run'`,
    `ssh web1 'export DB_PASSWORD='"'"'${password}'"'"' && ./run'`,
    `psql -c "UPDATE s SET v='password=''${password}'''"`,
    `export DB_PASSWORD='${password}'\\''${word}'`,
    `ALTER USER app WITH PASSWORD '${password}''${word}';`,
    `<pre>{&quot;password&quot;: &quot;${password}&quot;}</pre>`,
    String.raw`{\u0022password\u0022: \u0022${password}\u0022}`,
  ])('hide no value: %#', (text) => {
    expect(redact(text)).not.toMatch(/Brezel|maple/)
  })
})

describe('a pair over two lines', () => {
  const pairs = [
    ['- name: DB_PASSWORD', `  value: ${password}`],
    ['"name": "DB_PASSWORD",', `"value": "${password}"`],
    ['<key>DB_PASSWORD</key>', `<string>${password}</string>`],
  ]
  it.each([
    '     №\t',
    '    №→',
    '№:',
    'deploy/app.yaml:№:',
    'deploy/app.yaml-№-',
    '+',
    '-',
    'api-1  | ',
    '[pod/api-7d9f/main] ',
    '│  № │ ',
    '2026-03-01T10:00:00Z INFO ',
    '2026-03-01T10:00:00.1230567Z ',
    'Mar  1 10:00:00 host app[812]: ',
    '> ',
    '# ',
    '// ',
  ])('is recognized behind what tools write before both: %s', (before) => {
    for (const pair of pairs) {
      const text = pair.map((line, at) => before.replace('№', String(at + 8)) + line).join('\n')
      leaves(text, password)
      leaves(JSON.stringify({ text }), password)
    }
  })
})

describe('a form that a program prints or reads', () => {
  it.each([
    `db.internal:5432:prod:app:${password}`,
    `.shop.test\tTRUE\t/\tTRUE\t1799999999\tsessionid\t${hexKey}`,
    `WIFI:T:WPA;S:HomeNet;P:${password};;`,
    `WPA2 key: ${password}`,
    `    Key Content            : ${password}`,
    `export BW_SESSION="${session}"`,
    `syt_${draw(random, 'alnum', 8)}_${draw(random, 'alnum', 20)}_${draw(random, 'alnum', 6)}`,
    `smbclient //nas/share -U ann%${password}`,
    `openssl enc -aes-256-cbc -in a -out b -k ${password}`,
    `openssl rsa -in k.pem -passin pass:${password}`,
    `keytool -list -keystore a.jks -storepass ${password}`,
    `ssh-keygen -t ed25519 -N '${password}' -f id`,
    `security add-generic-password -a ann -s deploy -w ${password}`,
    `{"type":"random_password","name":"db","instances":[{"attributes":{"length":24,"result":"${key}"}}]}`,
    `https://hooks.zapier.com/hooks/catch/6597768/${draw(random, 'low', 8)}/`,
    `https://hook.eu1.make.com/${draw(random, 'low', 32)}`,
    `https://open.feishu.cn/open-apis/bot/v2/hook/${invent(random, '<uuid>')}`,
    `https://n8n.acme.test/webhook/${invent(random, '<uuid>')}`,
    `net use Z: \\\\nas\\share ${password} /user:ann`,
    `lftp -u ann,${password} ftp://nas.test`,
    `{"args":["--user","ann","--password","${password}"]}`,
    `echo '${password}' | gh secret set DEPLOY_KEY`,
  ])('loses its secret: %#', (text) => {
    expect(redact(text)).toContain('[REDACTED:')
    for (const secret of [password, hexKey, key, session])
      expect(redact(text)).not.toContain(secret.slice(0, 8))
  })
})

describe('a token of a client', () => {
  it('is left alone if it is a uuid, whatever sign follows its name', () => {
    const id = invent(random, '<uuid>')
    for (const text of [`client_token = "${id}"`, `client_token: ${id}`, `client_token is ${id}`])
      expect(redact(text)).toBe(text)
  })
})

describe('a word for a secret in another language', () => {
  it.each([
    `kata sandi: ${password}`,
    `parolă = ${password}`,
    `parola d'ordine: ${password}`,
    `恢复代码：${draw(random, 'low', 4)}3-7${draw(random, 'low', 4)}`,
    `inicia sesión con ann / ${password}`,
    `${password} 是密码`,
    `${password} 是数据库的密码`,
  ])('announces it: %#', (text) => {
    expect(redact(text)).toContain('[REDACTED:')
    expect(redact(text)).not.toContain('Brezel')
  })

  it.each([
    `aquí está mi clave API ${key}`,
    `usa ${key} como clave de API`,
    `aqui está minha chave de API ${key}`,
    `ecco la mia chiave API ${key}`,
    `usa ${key} come chiave API`,
    `voici ma clé API ${key}`,
    `utilise ${key} comme clé API`,
    `oto mój klucz API ${key}`,
    `użyj ${key} jako klucza API`,
    `用 ${key} 作为 API 密钥`,
  ])('announces a key, before and behind it: %#', (text) => {
    leaves(text, key)
  })

  it.each([
    '用户名和密码是必填的',
    'la clave API se guarda en el archivo de la aplicación',
    'version 2.10 是新密码学的库',
  ])('is told from what is no secret: %#', (text) => {
    expect(redact(text)).toBe(text)
  })
})

describe('a cookie as an object', () => {
  const cookie = (name: string, value = hexKey): string =>
    JSON.stringify([{ name, value, domain: '.shop.test', path: '/', httpOnly: true }])

  it('loses its value if its name is that of a login, in any order of its members', () => {
    for (const name of ['PHPSESSID', 'connect.sid', '_session_id', 'li_at']) leaves(cookie(name), hexKey)
    leaves(JSON.stringify({ value: hexKey, name: 'sessionid', sameSite: 'Lax' }), hexKey)
    leaves(JSON.stringify({ cookies: [{ name: 'sessionid', path: '/', value: hexKey }] }), hexKey)
    leaves(JSON.stringify({ text: cookie('JSESSIONID') }), hexKey)
  })

  it('keeps it if the name says nothing, or no member is that of a cookie', () => {
    for (const text of [cookie('_ga'), cookie('theme'), JSON.stringify({ name: 'session', value: hexKey })])
      expect(redact(text)).toBe(text)
  })

  it('loses a value that only begins like a web token', () => {
    const sealed = `eyJpdiI6${draw(random, 'alnum', 60)}`
    leaves(`Cookie: JSESSIONID=${sealed}`, sealed)
    leaves(`curl -b 'sessionid=${sealed}' https://shop.test`, sealed)
  })
})

describe('the secret of an access key', () => {
  const id = ['AK', `IA${draw(random, 'alnum', 16).toUpperCase()}`].join('')
  const secret = `${draw(random, 'alnum', 20)}/${draw(random, 'alnum', 18)}1`

  it.each([
    `Access key ID,Secret access key\n${id},${secret}`,
    `the keys: ${id} / ${secret}`,
    `AWS Secret Access Key [None]: ${secret}`,
  ])('is redacted behind its id and behind a prompt: %#', (text) => {
    leaves(text, secret)
  })
})

describe('a name in a call or a form', () => {
  it.each([
    `props.setProperty("userPassword", "${password}");`,
    `{"element":"Password textbox","ref":"e14","text":"${password}"}`,
  ])('identifies the value next to it: %#', (text) => {
    leaves(text, password)
  })
})

describe('hostile text', () => {
  it('takes a time that grows no faster than it, whatever one character follows the triggers', () => {
    const triggers = [...new Set(rules.map((rule) => triggerOf(rule.triggers[0]!).literal))].join(' ')
    for (const character of ['a', 'A', '1', ' ', '-', '.', ':', '/', '"', "'", '\\', '\n', '=', '|', '用'])
      expect(findSecrets(triggers + character.repeat(200_000)), character).toBeInstanceOf(Array)
  })
})
