import type { Random } from '../random.ts'
import { draw, invent, pick } from './parts.ts'

type Line = (random: Random) => string

const words = (
  'the a of and to build cache error fix index list map node order parse query route store token tree user value key secret ' +
  'password session header request login auth config test file line module page event state table column credential bearer basic'
).split(' ')
const types = ['string', 'number', 'Buffer', 'Promise<void>', 'readonly Token[]', 'SecretShape | undefined']

const sentence = (random: Random, least = 4): string =>
  Array.from({ length: least + random(10) }, () => pick(random, words)).join(' ')
const name = (random: Random): string => {
  const [first, ...rest] = Array.from({ length: 1 + random(3) }, () => pick(random, words))
  return first + rest.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}
const path = (random: Random): string =>
  `${pick(random, ['src', 'lib', 'apps/api', 'packages/auth-token', '/home/dev/shop/node_modules/.pnpm'])}/${pick(random, words)}-${pick(random, words)}.${pick(random, ['ts', 'js', 'py', 'go', 'rs'])}`
const count = (random: Random): string => String(random(200_000))
const time = (random: Random): string =>
  `2026-1${random(2)}-0${1 + random(9)}T0${random(10)}:${10 + random(50)}:${10 + random(50)}.${draw(random, 'digit', 3)}Z`
const filled =
  (shape: string): Line =>
  (random) =>
    invent(random, shape)

/** The content of transcripts, by sort. Nothing in it is a secret, and much of it looks like one. */
export const innocentLines: Record<string, readonly Line[]> = {
  prose: [
    (random) => `${sentence(random)}, ${sentence(random)}.`,
    (random) => `- **${sentence(random, 1)}**: ${sentence(random)} (see \`${name(random)}\`)`,
    (random) =>
      `The ${name(random)} token is ${pick(random, words)}, and the password is ${pick(random, ['hashed with argon2id', 'required', 'checked by validatePassword()', 'never logged', 'wrong', 'stored in the vault'])}.`,
    (random) =>
      `Passwords: at least ${8 + random(8)} characters. API key rotation: every ${random(90)} days. ${sentence(random)}`,
    (random) => `Bearer authentication and basic auth: ${sentence(random)}`,
  ],
  'source code': [
    (random) => `const ${name(random)} = await ${name(random)}(${name(random)}, ${random(99)})`,
    (random) =>
      `  private readonly ${name(random)}: ${pick(random, types)} = ${name(random)}.${name(random)}`,
    (random) =>
      `    if (password !== ${name(random)}.password || token.length < ${random(64)}) return ${name(random)}[${random(9)}]`,
    (random) =>
      `export function ${name(random)}({ token, password, secret }: { token: string; password?: string; secret: ${pick(random, types)} }) {`,
    (random) =>
      `  token: process.env.${draw(random, 'capital', 6)}_TOKEN ?? config.get('${name(random)}.token${random(9)}'),`,
    (random) => `  apiKey = os.environ.get("${draw(random, 'capital', 5)}_API_KEY_${random(9)}", "")`,
    (random) =>
      `  secret: z.string().min(${random(64)}).max(${64 + random(64)}), password: passwordSchema${random(9)},`,
    (random) => `import { ${name(random)}, createToken } from '../${path(random)}'`,
    (random) =>
      `  const tokens = lexer.${name(random)}(source${random(99)}); const secretKey = await ${name(random)}.generateKey("AES-GCM256", true)`,
    (random) =>
      `  password: "${pick(random, ['<your password>', 'changeme123', ['$', '{DB_PASSWORD}'].join(''), 'your-password-here', '********', 'test1234', 'password123', 'example-pass-1'])}",`,
    (random) =>
      `SELECT ${name(random)}, token_count FROM ${pick(random, words)} WHERE password_hash = $${random(9)} AND token = ?`,
    (random) => `label.${name(random)}.password = Passwort${random(9)} (${sentence(random, 1)})`,
    (random) =>
      `  @Input() passwordField${random(9)}: ${pick(random, types)}; get accessToken(): string { return this.${name(random)} }`,
  ],
  'lock file': [
    filled('    "integrity": "sha512-<base64:86>==",'),
    filled(
      '      "resolved": "https://registry.npmjs.test/<small:8>/-/<small:8>-<digit:1>.<digit:2>.<digit:1>.tgz",',
    ),
    filled('checksum = "<hex:64>"'),
    filled('    {file = "<small:7>-<digit:1>.0-py3-none-any.whl", hash = "sha256:<hex:64>"},'),
    filled('github.com/<small:6>/<small:8> v0.<digit:2>.0 h1:<base64:43>='),
    filled('github.com/<small:6>/<small:8> v0.0.0-20260<digit:10>-<hex:12> // indirect'),
    filled('  resolution: {integrity: sha512-<base64:86>==}'),
    filled('    "<small:6>@npm:^<digit:1>.0.0": checksum: 10c0/<hex:128>'),
  ],
  git: [
    filled('commit <hex:40>'),
    (random) => invent(random, `<hex:8> ${sentence(random)}`),
    filled('index <hex:10>..<hex:10> 100644'),
    (random) => `diff --git a/${path(random)} b/${path(random)}`,
    filled('From github.test:shop/api\n   <hex:7>..<hex:7>  main -> origin/main'),
    filled('<hex:40>\trefs/heads/fix-token-<digit:3>'),
    filled('HEAD is now at <hex:8> rotate the secret key <digit:2>'),
    filled('160000 commit <hex:40>\tvendor/auth-token'),
  ],
  containers: [
    filled('latest: digest: sha256:<hex:64> size: <digit:4>'),
    filled('<hex:12>   shop/api:latest   "docker-entrypoint.s…"   2 hours ago   Up 2 hours'),
    filled(' => => sha256:<hex:64> <digit:2>.<digit:2>MB / 31.02MB'),
    filled('Successfully built <hex:12>'),
    filled('pod/shop-<hex:10>-<low:5>   1/1     Running   0          <digit:2>h'),
  ],
  ids: [
    filled('<uuid>'),
    filled('{"doc_token":"dox|cn<alnum:22>","node_token":"wik|cn<alnum:22>","obj_token":"<alnum:27>"}'),
    filled(
      '{"client_token":"<uuid>","app_token":"bas|cn<alnum:22>","parent_node_token":"<alnum:27>","file_token":"<alnum:27>"}',
    ),
    filled(
      '{"page_token":"<alnum:40>","next_page_token":"<base64:48>","sync_token":"<word:28>","docToken":"<alnum:27>"}',
    ),
    filled('{"key":"ses_<hex:12><alnum:14>","sessions":1}'),
    filled('{"key":"17<digit:11>_<small:2><digit:2><small:1>","sessions":1}'),
    filled('{"uuid":"<uuid>","parentUuid":"<uuid>","sessionId":"<uuid>","requestId":"req_011<alnum:21>"}'),
    filled('{"type":"tool_use","id":"toolu_01<alnum:22>","name":"Bash"}'),
    filled('{"tool_use_id":"toolu_01<alnum:22>","id":"msg_01<alnum:22>","model":"claude-opus-4-5-20251101"}'),
    filled('call_<alnum:24> fc_<hex:48> resp_<hex:48> chatcmpl-<alnum:29> rs_<hex:48>'),
    filled('gen-<digit:10>-<alnum:20> run_<alnum:24> thread_<alnum:24> asst_<alnum:24>'),
    filled('cus_<alnum:14> pi_3<alnum:23> evt_1<alnum:23> price_1<alnum:23> acct_1<alnum:15>'),
    filled('01<base32:24> 2<alnum:26> <hex:24> <low:25> trace_id=<hex:32> span_id=<hex:16>'),
    filled('ETag: "<hex:32>" x-request-id: <uuid> cf-ray: <hex:16>-FRA x-amz-id-2: <base64:75>='),
    filled('arn:aws:iam::<digit:12>:role/token-<small:8> i-<hex:17> vpc-<hex:17> sg-<hex:17>'),
    filled(
      'pk_live_<alnum:24> pk_test_<alnum:24> clientId: "<digit:12>-<low:32>.apps.googleusercontent.test"',
    ),
  ],
  records: [
    (random) =>
      `{"usage":{"input_tokens":${count(random)},"cache_creation_input_tokens":${count(random)},"cache_read_input_tokens":${count(random)},"output_tokens":${count(random)},"service_tier":"standard"}}`,
    (random) =>
      `{"totalTokens":${count(random)},"contextTokens":200000,"token_count":${count(random)},"max_tokens":8192,"tokensPerSecond":${random(99)}.5}`,
    filled('{"type":"thinking","thinking":"","signature":"Er<base64:420>=="}'),
    filled('{"type":"redacted_thinking","data":"Eq<base64:300>="}'),
    filled('{"encrypted_content":"gAAAAAB<word:300>=="}'),
    (random) =>
      `{"timestamp":"${time(random)}","cwd":"/home/dev/token-service","gitBranch":"fix/password-${random(999)}","version":"2.0.${random(99)}"}`,
    (random) =>
      `{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"${sentence(random)}"}]}}`,
    filled(
      '{"nextPageToken":"<word:60>","next_cursor":"<base64:40>=","continuationToken":"<base64:48>","syncToken":"<word:28>"}',
    ),
    filled(
      '{"hash":"<hex:64>","md5":"<hex:32>","etag":"<hex:32>-2","fingerprint":"SHA256:<base64:43>","digest":"<base64:43>="}',
    ),
    filled(
      '{"keyId":"<uuid>","publicKey":"<base64:43>=","public_key":"MCowBQYDK2VwAyEA<base64:43>=","kid":"<word:27>"}',
    ),
    filled(
      '{"key":"<small:8>-<small:5>","value":"<small:8>"},{"name":"token","value":"<digit:5>"},{"name":"PORT","value":"80"}',
    ),
    filled(
      '{"cacheKey":"<small:6>:<hex:40>","idempotencyKey":"<uuid>","sortKey":"USER#<digit:8>","primaryKey":"<small:5>_id"}',
    ),
  ],
  images: [
    filled('data:image/png;base64,iVBORw0KGgo<base64:900>=='),
    filled('{"type":"base64","media_type":"image/jpeg","data":"/9j/4AAQSkZJRg<base64:1200>"}'),
    filled("src: url(data:font/woff2;base64,d09GMgABAAAAA<base64:700>) format('woff2');"),
    filled('//# sourceMappingURL=data:application/json;charset=utf-8;base64,ey<base64:500>='),
    filled('{"mappings":"AAAA,SAAS,<base64:200>;AACA,<base64:90>"}'),
  ],
  minified: [
    (random) =>
      `!function(e,t){"use strict";var n=t.token,r=e.password||t(${random(999)}),i=e.secret?n.key:${random(99)};return{apiKey:i(4096),token:n.t${random(99)}}}(this,${random(9)});`,
    (random) =>
      `a.exports={${name(random)}:function(e){return e.${name(random)}.token=e.password.${name(random)},n(${random(9999)})(e)},secretKey:t.n(r)};var o=n("${draw(random, 'alnum', 4)}");`,
    (random) =>
      `,t.key=function(e){switch(e.key){case"Enter":return!0;case"Escape":n.token=null}},password:!${random(2)},token:o[${random(99)}]`,
    filled(
      '.<alnum:6>_<word:5>{background:#<hex:6>;width:calc(100% - <digit:2>px)}.token.password{color:#<hex:6>}',
    ),
    filled(
      '@media (min-width:<digit:3>px){.sk-chase-dot-<digit:1>:before{animation:sk-folding-cube-container-<small:6> 2s infinite}}',
    ),
    filled('"./<small:8>.<hex:20>.js":["<hex:5>","chunk-<hex:8>.js","asset-<alnum:8>.css"]'),
  ],
  tables: [
    (random) =>
      `${random(9999)},${time(random)},${sentence(random, 2)},${invent(random, '<hex:16>,<digit:3>.<digit:2>,<capital:3>')}`,
    (random) =>
      `| ${sentence(random, 1)} | ${count(random)} | ${invent(random, '<hex:8>')} | ${time(random)} |`,
    filled('-rw-r--r-- 1 dev dev <digit:5> Oct  1 08:00 token-<hex:8>.json'),
    filled('<hex:64>  dist/secret-key-<digit:1>.tar.gz'),
    filled('<digit:10>\t<uuid>\t<small:8>@shop.test\t+4915<digit:9>\tpassword_reset'),
  ],
  logs: [
    (random) => `    at ${name(random)} (/home/dev/shop/${path(random)}:${random(999)}:${random(99)})`,
    (random) =>
      `  File "/usr/lib/python3.12/site-packages/${path(random)}", line ${random(999)}, in get_token_${random(9)}`,
    (random) =>
      `${time(random)} INFO [auth] token refreshed for user ${count(random)} in ${random(999)}ms key=${pick(random, words)}-${random(99)}`,
    (random) =>
      `thread 'main' panicked at ${path(random)}:${random(999)}: called \`Result::unwrap()\` on 0x${draw(random, 'hex', 16)}`,
    (random) =>
      `GET /api/${pick(random, words)}?page=${random(99)}&token_type=bearer&sort=key${random(9)} 200 ${random(999)} - ${random(99)}.${random(9)} ms`,
    filled('npm warn deprecated <small:6>@<digit:1>.<digit:1>.<digit:2>: use <small:8>-token instead'),
    filled(
      '[<digit:2>:<digit:2>:<digit:2>] PASS src/password-<small:5>.test.ts (<digit:2>.<digit:1> s) pass: <digit:3>/<digit:3>',
    ),
    filled('#12 sha256:<hex:64> 0B / <digit:2>MB token=<digit:3> passed=<digit:3>'),
    filled(
      'debug: authToken present, apiKey: [hidden], password: [FILTERED], secret=***, Bearer ****<alnum:4>',
    ),
  ],
  configuration: [
    (random) => `${draw(random, 'capital', 6)}_TOKEN=\${${draw(random, 'capital', 5)}_TOKEN_${random(9)}}`,
    (random) => `      password: \${{ secrets.${draw(random, 'capital', 6)}_PASSWORD${random(9)} }}`,
    (random) => `    secretName: ${pick(random, words)}-tls-${random(99)}`,
    (random) =>
      `          secretKeyRef: { name: ${pick(random, words)}-credentials-${random(9)}, key: ${pick(random, words)}-token-${random(9)} }`,
    filled('postgres://postgres:postgres@localhost:5432/shop_<digit:2>'),
    filled('  uses: actions/checkout@<hex:40> # v5.<digit:1>.0'),
    filled('  keyVaultName: kv-shop-<digit:3>\n  passwordPolicy: min-<digit:2>-characters'),
    filled('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI<base64:43> dev@shop'),
    filled('-----BEGIN CERTI|FICATE-----\nMII<base64:61>'),
    filled('https://shop.test/reset?code=<digit:6>&utm_source=mail&v=<hex:8>'),
    filled('"css-tokens": "@csstools/css-tokenizer@<digit:1>.0.<digit:1>", "jsonwebtoken": "^9.0.<digit:1>"'),
  ],
}
