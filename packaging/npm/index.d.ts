export interface StatorOptions {
  /** Directory to keep the database in; without it, it is in memory and lost at the end. */
  data?: string;
  /** Further options of `stator serve`, such as `['--capacity', 'enforce']`. */
  options?: string[];
}

export interface Stator {
  /** http://127.0.0.1:PORT */
  endpoint: string;
  /** What clients of the AWS SDK are made with: `new DynamoDBClient(stator.clientConfig)`. */
  clientConfig: {
    endpoint: string;
    region: string;
    credentials: { accessKeyId: string; secretAccessKey: string };
  };
  /** Variables that lead AWS clients made without configuration here: `Object.assign(process.env, stator.environment)`. */
  environment: Record<string, string>;
  /** Resolves when the process has ended. */
  stop(): Promise<void>;
}

/** Starts a server on a free port. It ends with this process, however that ends; `stop` ends it before. */
export function startStator(options?: StatorOptions): Promise<Stator>;

/** Path of the program. */
export function program(): string;
