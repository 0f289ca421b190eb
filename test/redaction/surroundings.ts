import type { Random } from '../random.ts'
import { draw } from './parts.ts'

/** The context of a secret: a text that contains it, escaped as the context requires. */
export type Surrounding = (secret: string, name: string, random: Random) => string

const camel = (name: string): string =>
  name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const kebab = (name: string): string => name.toLowerCase().replaceAll('_', '-')
const json = (value: unknown): string => JSON.stringify(value)
const result = (text: string): string =>
  json({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', content: text }] } })

/** The name of the secret is next to it. */
export const namedSurroundings: Record<string, Surrounding> = {
  'env file': (secret, name) => `# production\nNODE_ENV=production\n${name}=${secret}\nPORT=3000\n`,
  'quoted env file': (secret, name) => `${name}="${secret}"\nLOG_LEVEL=info`,
  export: (secret, name) => `export ${name}='${secret}' && npm run deploy`,
  'before a command': (secret, name) => `${name}=${secret} node scripts/seed.ts --env staging`,
  'docker run': (secret, name) => `docker run --rm -e ${name}=${secret} -p 8080:80 shop/api:latest`,
  dockerfile: (secret, name) => `FROM node:24-alpine\nENV ${name}=${secret}\nCMD ["node", "index.js"]`,
  'json field': (secret, name) => json({ region: 'eu-west-1', [camel(name)]: secret, retries: 3 }),
  'json in json': (secret, name) =>
    json({ command: 'cat config.json', output: json({ [camel(name)]: secret, debug: false }) }),
  'json three deep': (secret, name) => json({ log: json({ body: json({ [name]: secret, ok: true }) }) }),
  yaml: (secret, name) => `database:\n  host: db.internal\n  ${name.toLowerCase()}: ${secret}\n  pool: 5\n`,
  toml: (secret, name) => `[deploy]\n${name.toLowerCase()} = "${secret}"\nregion = "fra1"`,
  javascript: (secret, name) => `const client = new Client({ ${camel(name)}: '${secret}', timeout: 5000 })`,
  python: (secret, name) => `import os\nos.environ["${name}"] = "${secret}"\nclient = connect()`,
  diff: (secret, name) => `@@ -1,3 +1,3 @@\n PORT=3000\n-${name}=${secret}\n+${name}=`,
  grep: (secret, name) => `apps/api/.env.local:12:${name}=${secret}\napps/api/.env.local:13:PORT=4000`,
  'numbered lines': (secret, name) => result(`     1→PORT=3000\n     2→${name}=${secret}\n     3→HOST=::\n`),
  'name and value': (secret, name) =>
    json({
      env: [
        { name, value: secret },
        { name: 'PORT', value: '80' },
      ],
    }),
  manifest: (secret, name) => `        env:\n        - name: ${name}\n          value: "${secret}"\n`,
  'xml setting': (secret, name) => `<appSettings><add key="${name}" value="${secret}" /></appSettings>`,
  'code of a shell': (secret, name) => `printenv | grep -i key\n\u001b[32m${name}\u001b[0m=${secret}\n`,
  'github actions': (secret, name) => `  env:\n    ${name}: ${secret}\n    CI: true\n##[endgroup]`,
  'long option': (secret, name) => `shopctl login --${kebab(name)} ${secret} --yes`,
  'long option with a sign': (secret, name) => `shopctl login --${kebab(name)}=${secret} --yes`,
  'set secret': (secret, name) => `fly secrets set ${name}=${secret} --app shop`,
  'written to a file': (secret, name) => json({ command: `echo "${name}=${secret}" >> .env && cat .env` }),
  'properties file': (secret, name) =>
    `server.port=80\n${name.toLowerCase().replaceAll('_', '.')}=${secret}\n`,
  'launchd plist': (secret, name) =>
    `<key>EnvironmentVariables</key>\n<dict>\n\t<key>${name}</key>\n\t<string>${secret}</string>\n</dict>`,
  'powershell variable': (secret, name) => `$env:${name} = "${secret}"; npm start`,
  'powershell table': (secret, name) =>
    `Name                           Value\n----                           -----\n${name.padEnd(30)} ${secret}\nPATH                           C:\\bin\n`,
  setx: (secret, name) => `setx ${name} "${secret}" /M`,
  'gh secret': (secret, name) => `gh secret set ${name} --body "${secret}" --repo shop/api`,
  'php constant': (secret, name) => `define('${name}', '${secret}');`,
  'csv with a header': (secret, name) =>
    `service,owner,${/PASS/.test(name) ? 'password' : 'api_key'}\nshop,ann,${secret}\n`,
  'table with a header': (secret) => `| service | token |\n|---|---|\n| shop | ${secret} |\n`,
  'name in escapes': (secret, name) =>
    `{"${Array.from(name, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}":"${secret}"}`,
  'query of an address': (secret, name) =>
    `curl "https://api.shop.test/v1?${name.toLowerCase()}=${secret}&page=2"`,
  'colours around all of it': (secret, name) => `\u001b[1m${name}\u001b[22m=\u001b[33m${secret}\u001b[39m\n`,
  table: (secret, name) => `| variable | value |\n|---|---|\n| ${name} | \`${secret}\` |\n`,
  prose: (secret, name) => `Sure, the ${name} is \`${secret}\`, put it into the vault.`,
}

/** The value alone identifies the secret. */
export const plainSurroundings: Record<string, Surrounding> = {
  'a sentence': (secret) => `Here it is: ${secret}. Do not lose it.`,
  'in brackets': (secret) => `the old one (${secret}) is revoked`,
  'code span': (secret) => `Use \`${secret}\` for staging and ask for another one later.`,
  bearer: (secret) => `curl -s https://api.shop.test/v1/me -H "Authorization: Bearer ${secret}" | jq .`,
  'bearer in json': (secret) =>
    json({
      tool: 'Bash',
      input: { command: `curl -H "Authorization: Bearer ${secret}" https://api.shop.test` },
    }),
  header: (secret) => `> GET /v1/items HTTP/2\n> x-api-key: ${secret}\n> accept: */*`,
  'alone on a line': (secret) => result(`$ pass show shop/api\n${secret}\n$ `),
  'tab separated': (secret) => `shop\tproduction\t${secret}\t2026-10-01`,
  coloured: (secret) => json({ stdout: `\u001b[1mkey\u001b[0m \u001b[33m${secret}\u001b[39m\n` }),
  'error message': (secret) =>
    `Error: 401 Incorrect key provided: ${secret}. You can find yours in the settings.`,
  'list in json': (secret) => json({ args: ['--verbose', secret, '--dry-run'] }),
  'after an escaped line end': (secret) => json({ text: json({ text: `first\n${secret}\nlast` }) }),
}

const escapedAs = (secret: string, wanted: RegExp): string =>
  secret.replace(wanted, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Written by encoders that escape more than necessary. */
export const escapedSurroundings: Record<string, Surrounding> = {
  'escaped signs': (secret, name) => `{"${name}":"${escapedAs(secret, /[^A-Za-z0-9]/g)}","ok":true}`,
  'every letter escaped': (secret, name) => `{"${name}":"${escapedAs(secret, /./gs)}"}`,
  'escaped slashes': (secret, name) => `{"${name}":"${secret.replaceAll('/', '\\/')}","a":"b\\/c"}`,
  'escaped twice': (secret, name) => json({ raw: `{"${name}":"${escapedAs(secret, /[-_/+=.]/g)}"}` }),
  'among other escapes': (secret, name, random) =>
    `{"text":"\\u00e9t\\u00e9 \\n${name}=${secret}\\u0026id=${draw(random, 'digit', 6)}"}`,
}
