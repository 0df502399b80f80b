export async function replay(_args: readonly string[]): Promise<void> {}
