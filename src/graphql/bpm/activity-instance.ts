import type { ActivityInstanceResolvers } from '../generated/schema.js';

export const activityInstanceResolvers: ActivityInstanceResolvers = {
  durationInMillis: ({ startTime, endTime }) => (endTime === null ? null : endTime - startTime),
};
