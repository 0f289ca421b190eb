import type { CommandKind } from './evidence.ts'

/** What a command line is for. The first rule that fits decides. */
const RULES: readonly (readonly [CommandKind, RegExp])[] = [
  // A search that finds nothing fails, and is no failure.
  [
    'look',
    /^\s*(?:cd\s+\S+\s*(?:&&|;)\s*)?(?:ls|cat|head|tail|grep|rg|find|fd|wc|tree|pwd|which|stat|du|df|sed\s+-n|jq|diff|less|file|ps|env|echo|date|sort|sleep|true|test)\b(?!.*(?:&&|;))/,
  ],
  ['commit', /\bgit\s+(?:-C\s+\S+\s+)?commit\b/],
  ['pull-request', /\b(?:gh\s+pr|glab\s+mr)\s+(?:create|merge|edit|comment)\b/],
  [
    'test',
    /\b(?:(?:npm|pnpm|yarn|bun|deno|cargo|go|make|mix|dotnet|swift|gradle|gradlew|mvn|rake|rails|bazel|uv run|poetry run|npx|bunx)\s+(?:run\s+)?(?:-\S+\s+)*(?:test|tests|t|spec|check)\b|(?:vitest|jest|pytest|mocha|ava|rspec|phpunit|tox|nox|ctest|playwright|cypress|nextest|unittest)\b|node\s+--test\b)/,
  ],
  [
    'lint',
    /\b(?:eslint|biome|prettier|ruff|flake8|mypy|pyright|tsc|clippy|golangci-lint|shellcheck|rubocop|black|stylelint|knip|lint|typecheck|fmt|format)\b/,
  ],
  [
    'install',
    /\b(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|brew|apt(?:-get)?|gem|go)\s+(?:-\S+\s+)*(?:install|i|ci|add|get|sync|remove|uninstall|update|upgrade)\b/,
  ],
  [
    'build',
    /\b(?:(?:npm|pnpm|yarn|bun|cargo|go|make|dotnet|swift|mvn|gradle|docker|vite|next|webpack|esbuild)\s+(?:run\s+)?(?:-\S+\s+)*(?:build|compile|bundle|package)|make|cmake|tsup|rollup)\b/,
  ],
  ['git', /\b(?:git|gh|glab|jj|hg)\s/],
  ['database', /\b(?:psql|mysql|sqlite3|redis-cli|mongosh?|prisma|pg_dump|alembic|migrate)\b/],
  [
    'deploy',
    /\b(?:kubectl|helm|terraform|ansible|systemctl|docker(?:-compose)?|podman|fly|vercel|netlify|wrangler|rsync|scp|ssh)\b/,
  ],
  ['network', /\b(?:curl|wget|http|ping|dig|nc)\s/],
  ['run', /^/],
]

export const commandKind = (line: string): CommandKind => RULES.find(([, rule]) => rule.test(line))![0]
