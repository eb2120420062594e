"""The JVM: jars, compiled classes, Spark sessions, bare JVMs, Java errors, and what is missing for them."""
