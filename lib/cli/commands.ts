/** The commands of `cts`. Each loads its code only when it is called. */
export const commands = {
  run: {
    summary: 'check a service (the default command)',
    main: async (args: string[]) => (await import('./run.ts')).run(args),
  },
  replay: {
    summary: 'send a recorded counterexample again',
    main: async (args: string[]) => (await import('./replay.ts')).replay(args),
  },
  judge: {
    summary: 'come to the verdicts again from recorded evidence',
    main: async (args: string[]) => (await import('./judge.ts')).judge(args),
  },
  serve: {
    summary: 'run the reference service alone',
    main: async (args: string[]) => (await import('./serve.ts')).serve(args),
  },
  openapi: {
    summary: 'print the interface as an OpenAPI document',
    main: async (args: string[]) => (await import('./openapi.ts')).openapi(args),
  },
} as const;
