/** The commands of `cts`. Each loads its code only when it is called. */
export const commands = {
  run: {
    summary: 'check a service (the default command)',
    main: async (args: string[]) => (await import('./run.ts')).run(args),
  },
  doctor: {
    summary: 'see whether a service is ready to be checked',
    main: async (args: string[]) => (await import('./doctor.ts')).doctor(args),
  },
  list: {
    summary: 'all requirements and open questions, by section of the interface',
    main: async (args: string[]) => (await import('./list.ts')).list(args),
  },
  explain: {
    summary: 'why one is required, how it is tested, what a failure looks like',
    main: async (args: string[]) => (await import('./explain.ts')).explain(args),
  },
  replay: {
    summary: 'send a recorded counterexample again',
    main: async (args: string[]) => (await import('./replay.ts')).replay(args),
  },
  judge: {
    summary: 'come to the verdicts again from recorded evidence',
    main: async (args: string[]) => (await import('./judge.ts')).judge(args),
  },
  render: {
    summary: 'make index.html again from the files of a run',
    main: async (args: string[]) => (await import('./render.ts')).render(args),
  },
  merge: {
    summary: 'make one report of runs that shared their cases',
    main: async (args: string[]) => (await import('./merge.ts')).merge(args),
  },
  diff: {
    summary: 'say what differs between two reports',
    main: async (args: string[]) => (await import('./diff.ts')).diff(args),
  },
  matrix: {
    summary: 'put the reports of several services beside each other',
    main: async (args: string[]) => (await import('./matrix.ts')).matrix(args),
  },
  init: {
    summary: 'write a .env to fill in',
    main: async (args: string[]) => (await import('./init.ts')).init(args),
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
