import type { Component } from '../component.js';
import { FileConsumer } from './file-consumer.js';
import { FILE_OPTIONS } from './file-options.js';
import { FilePlace } from './file-place.js';
import { fileProducer } from './file-producer.js';

/** Reads and writes files, in directories that the server names. */
export const file: Component = {
  schemes: ['file'],
  syntax: 'directoryName',
  options: FILE_OPTIONS,
  endpoint(address, context) {
    const place = new FilePlace(address, context);
    return {
      uri: address.uri,
      producer: () => fileProducer(address, place),
      consumer: (intake) => new FileConsumer(address, place, intake),
    };
  },
};
