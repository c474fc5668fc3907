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
  // Whether the directory is one that the server permits is asked when files are to come or go: a route that is not to start may be deployed before that.
  endpoint: (address, context) => ({
    uri: address.uri,
    producer: () => fileProducer(address, new FilePlace(address, context)),
    consumer: (intake) => new FileConsumer(address, new FilePlace(address, context), intake),
  }),
};
