"""Judges recorded traffic on Spark: spark-submit judge-on-spark.py TRAFFIC REPORTS PARTS, then merge the reports."""

import json
import os
import re
import sys
import zlib
from datetime import datetime

from pyspark.sql import SparkSession


def key(line):
    """What a line is part of, and when: an execution or a profile is judged in one piece, in order."""
    exchange = json.loads(line)
    in_path = re.search(r"/agents/v2/(?:executions|agent-profiles)/([^/?#]+)", exchange["request"]["url"])
    in_answer = re.search(r'executionId[\\":\s]+([\w-]+)', line)
    found = in_path or in_answer
    at = exchange.get("at", exchange.get("startedDateTime"))
    if isinstance(at, str):
        at = datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp() * 1000
    return (found[1].lower() if found else "", at)


# Pipes start with an empty environment, so it is handed on. A part that breaks a rule is no failure of the job; one that
# cannot be read is.
judge = "sh -c 'workflow-contract check --recording - --quiet --report json=-; [ $? -ne 2 ]'"

traffic, reports, parts = sys.argv[1], sys.argv[2], int(sys.argv[3])
spark = SparkSession.builder.appName("judge traffic").getOrCreate()
(
    spark.sparkContext.textFile(traffic)
    .keyBy(key)
    .repartitionAndSortWithinPartitions(parts, lambda of: zlib.crc32(of[0].encode()), True, lambda of: of[1])
    .values()
    .pipe(judge, env=dict(os.environ), checkCode=True)
    .saveAsTextFile(reports)
)
