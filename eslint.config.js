import tseslint from 'typescript-eslint';

/** Biome formats and lints. ESLint runs only the rules that need types: each of them has lost money somewhere. */
export default tseslint.config(
  { ignores: ['dashboard/dist*/', 'dashboard/src/route-tree.gen.ts', '**/*.d.ts', '.data/', '.venv/', 'coverage/'] },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts', 'dashboard/src/**/*.{ts,tsx}'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // A promise that nobody waits for is an effect that nobody saw fail.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      // `return promise` inside try or a transaction leaves it before the promise has settled.
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      // A state that a switch forgets is a payout that stands still.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      // `[object Object]` and `undefined` in a sentence or a key.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-base-to-string': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      // Sorts bigint and number by their text otherwise: '10' before '9'.
      '@typescript-eslint/require-array-sort-compare': ['error', { ignoreStringArrays: true }],
    },
  },
);
