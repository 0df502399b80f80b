/** Seconds in each unit that a lifetime may be asked for and told in. */
export const timeUnits: Readonly<Record<string, number>> = {
  milliseconds: 0.001,
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86_400,
};
